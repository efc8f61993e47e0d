-- Neovim talks with `gx lsp`, as share/vim/vimfiles starts it:
--   nvim --headless -u NONE --cmd 'set rtp^=share/vim/vimfiles' -l … is not in old ones; so -S this file.
local passed, failed = 0, 0
local function judge(name, ok, what)
  if ok then
    passed = passed + 1
  else
    failed = failed + 1
    io.stdout:write("FAILED: " .. name .. ": " .. vim.inspect(what) .. "\n")
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, params, 10000) or {}
  for _, answer in pairs(answers) do
    return answer.result, answer.error or answer.err
  end
end

local function at(needle, more)
  local row = vim.fn.search("\\V" .. needle, "w")
  vim.api.nvim_win_set_cursor(0, { row, vim.fn.col(".") - 1 + more })
  return vim.lsp.util.make_position_params()
end

local function talk()
  vim.cmd("edit " .. vim.env.GX_ROOM .. "/main.gx")
  judge("the file's type", vim.bo.filetype == "gx", vim.bo.filetype)
  local ready = vim.wait(10000, function()
    local clients = vim.lsp.buf_get_clients(0)
    for _, c in pairs(clients) do
      return c.initialized
    end
  end, 20)
  judge("the server starts", ready, nil)
  local hover = ask("hover", at("area(2", 1))
  judge("hover", hover and hover.contents.value:find("def area", 1, true), hover)
  local place = ask("definition", at("scale(a", 1))
  judge("definition", place and place.uri:find("tools.gx", 1, true), place)
  local params = at("total", 1)
  params.newName = "product"
  local edit = ask("rename", params)
  judge("rename", edit and #edit.changes[vim.uri_from_bufnr(0)] == 2, edit)
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  judge("the renamed text", vim.fn.search("product = w \\* h") > 0, vim.fn.getline(1, "$"))
  judge("no mistakes", vim.wait(3000, function() return #vim.diagnostic.get(0) == 0 end, 20), nil)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "é = '𝄞' + zerso(3)" })
  vim.wait(10000, function() return #vim.diagnostic.get(0) == 1 end, 20)
  local found = vim.diagnostic.get(0)
  judge("a mistake while typing", #found == 1 and found[1].code == "name.unknown" and found[1].col == 14,
    found)
  vim.api.nvim_buf_set_lines(0, -2, -1, false, { "a.resh" })
  local last = vim.fn.line("$")
  vim.api.nvim_win_set_cursor(0, { last, 5 })
  local where = vim.lsp.util.make_position_params()
  where.position = { line = last - 1, character = 6 }
  local words = ask("completion", where)
  judge("completion", words and words.items[1] and words.items[1].label == "reshape", words)
  vim.api.nvim_buf_set_lines(0, -2, -1, false, { "x=[1,2]" })
  vim.lsp.buf_request_sync(0, "textDocument/hover", where, 10000)
  local edits = ask("formatting", { textDocument = vim.lsp.util.make_text_document_params(),
    options = { tabSize = 4, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits or {}, 0, "utf-16")
  judge("formatting", vim.fn.getline("$") == "x = [1, 2]", vim.fn.getline("$"))
end

local ok, why = pcall(talk)
judge("the talk", ok, why)
io.stdout:write(passed .. " passed, " .. failed .. " failed\n")
vim.cmd(failed > 0 and "cquit!" or "qall!")
