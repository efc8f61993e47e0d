autocmd BufNewFile,BufRead *.gx,*.gxin setfiletype gx
