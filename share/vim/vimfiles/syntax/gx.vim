" Colours for gx. Keywords are those of lexer/tokens.def.
if exists("b:current_syntax")
  finish
endif

syn keyword gxConstant False None True
syn keyword gxOperator and in is not or
syn keyword gxDeclaration class def lambda nextgroup=gxFunction skipwhite
syn keyword gxStatement as assert async await break continue del elif else except finally for from global if import nonlocal pass raise return try while with yield
syn match gxStatement /^\s*\zs\(match\|case\)\>\ze.*:\s*\(#.*\)\?$/
syn match gxFunction /\h\w*/ contained
syn match gxDecorator /^\s*@\h\w*/
syn match gxMagic /^\s*%%\?\h\w*/

syn match gxNumber /\<0[xX][0-9A-Fa-f_]\+\>/
syn match gxNumber /\<0[oO][0-7_]\+\>/
syn match gxNumber /\<0[bB][01_]\+\>/
syn match gxNumber /\<\d[0-9_]*\(\.[0-9_]*\)\?\([eE][+-]\?\d\+\)\?[jJ]\?/
syn match gxNumber /\.\d[0-9_]*\([eE][+-]\?\d\+\)\?[jJ]\?/

syn match gxEscape /\\./ contained
syn region gxField start=/{/ end=/}/ contained contains=TOP
syn region gxString start=/[bB]\?"/ skip=/\\./ end=/"/ end=/$/ contains=gxEscape
syn region gxString start=/[bB]\?'/ skip=/\\./ end=/'/ end=/$/ contains=gxEscape
syn region gxString start=/[fF]"/ skip=/\\./ end=/"/ end=/$/ contains=gxEscape,gxField
syn region gxString start=/[fF]'/ skip=/\\./ end=/'/ end=/$/ contains=gxEscape,gxField
syn region gxString start=/[rRbBfF]*"""/ end=/"""/ contains=gxEscape
syn region gxString start=/[rRbBfF]*'''/ end=/'''/ contains=gxEscape
syn region gxString start=/[rR][bBfF]\?"/ end=/"/ end=/$/
syn region gxString start=/[rR][bBfF]\?'/ end=/'/ end=/$/

" CUDA C++ inside kernel literals.
syn include @gxCuda syntax/cpp.vim
unlet! b:current_syntax
syn region gxKernel matchgroup=gxStatement start=/\<kernel\s*"""/ end=/"""/ contains=@gxCuda

syn match gxComment /#.*$/ contains=gxExpect
syn match gxExpect /expect\( error\| kernels\)\?:.*$/ contained

hi def link gxConstant Constant
hi def link gxOperator Operator
hi def link gxDeclaration Structure
hi def link gxStatement Statement
hi def link gxFunction Function
hi def link gxDecorator PreProc
hi def link gxMagic PreProc
hi def link gxNumber Number
hi def link gxEscape Special
hi def link gxString String
hi def link gxComment Comment
hi def link gxExpect Todo

let b:current_syntax = "gx"
