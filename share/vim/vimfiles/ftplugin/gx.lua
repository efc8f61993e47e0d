-- Neovim asks `gx lsp` about each file of gx (docs/editors.md).
if vim.b.gx_lsp or vim.fn.executable("gx") == 0 then
  return
end
vim.b.gx_lsp = true
local file = vim.api.nvim_buf_get_name(0)
local config = {
  name = "gx",
  cmd = { "gx", "lsp" },
  root_dir = file ~= "" and vim.fn.fnamemodify(file, ":p:h") or vim.fn.getcwd(),
  on_attach = function(_, buffer)
    vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  end,
}
if vim.lsp.start then
  vim.lsp.start(config)
else -- before Neovim 0.8: one server for each folder
  vim.g.gx_servers = vim.g.gx_servers or vim.empty_dict()
  local id = vim.g.gx_servers[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    local servers = vim.g.gx_servers
    servers[config.root_dir] = id
    vim.g.gx_servers = servers
  end
  vim.lsp.buf_attach_client(0, id)
end
