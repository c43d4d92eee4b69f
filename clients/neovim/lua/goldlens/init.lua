-- Scores, rows and comparisons from the Goldlens language server.
local M = {}

--- The last scoreboard of each document, by its URI.
local boards = {}

--- The metric that stands for all others, by task.
local FIRST = { ud = "LAS", span = "Micro", classification = "Accuracy", stemming = "UI" }

--- Asks for the problems of a buffer again. A Neovim that cannot be told by the server that they
--- are others (before 0.12) would keep the old ones where gold has changed, and not the text.
local function ask_again(uri)
  for _, client in ipairs(vim.lsp.get_clients({ name = "goldlens" })) do
    local can = vim.tbl_get(client.capabilities, "workspace", "diagnostics", "refreshSupport")
    local pulls = not can and client.server_capabilities.diagnosticProvider
    for buffer in pairs(pulls and client.attached_buffers or {}) do
      if vim.uri_from_bufnr(buffer) == uri then
        client:request("textDocument/diagnostic", { textDocument = { uri = uri } }, nil, buffer)
      end
    end
  end
end

--- Takes a scoreboard that the server tells of.
function M.told(board)
  boards[board.uri] = board
  vim.schedule(function()
    ask_again(board.uri)
    vim.api.nvim_exec_autocmds("User", { pattern = "GoldlensScores", data = board })
    vim.cmd.redrawstatus()
  end)
end

--- The server of a buffer; an error if there is none.
local function client_of(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = "goldlens" })[1]
  if not client then
    error("Goldlens does not run for this buffer; open a .conllu or .iob2 file", 0)
  end
  return client
end

--- Runs a command of the server and waits for its result.
--- @param name string such as "goldlens.rows"
--- @param arguments table? what it takes besides the uri of the buffer
--- @param buffer integer? the current one if left out
function M.execute(name, arguments, buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local given = vim.tbl_extend("keep", arguments or {}, { uri = vim.uri_from_bufnr(buffer) })
  local params = { command = name, arguments = { given } }
  local answer, why = client_of(buffer):request_sync("workspace/executeCommand", params, 60000, buffer)
  if not answer then
    error(("%s: %s"):format(name, why or "no answer"), 0)
  end
  if answer.err then
    error(answer.err.message, 0)
  end
  return answer.result
end

local function number(value)
  return type(value) == "number" and ("%.2f"):format(value) or nil
end

--- The figure that stands for all, for a status line: "LAS 88.10 (+0.25)". Empty without a score.
--- @param buffer integer? the current one if left out
function M.statusline(buffer)
  local board = boards[vim.uri_from_bufnr(buffer or vim.api.nvim_get_current_buf())]
  local metrics = board and type(board.metrics) == "table" and board.metrics or nil
  if not metrics then
    return ""
  end
  local name = FIRST[board.task]
  local figure = metrics[name]
  if type(figure) ~= "table" then
    return ""
  end
  local score = number(figure.f1) or number(figure.value)
  if not score then
    return ""
  end
  local since = type(board.since_save) == "table" and board.since_save[name] or nil
  if type(since) == "number" and math.abs(since) >= 0.005 then
    return ("%s %s (%+.2f)"):format(name, score, since)
  end
  return ("%s %s"):format(name, score)
end

--- Shows the scores of the current buffer.
function M.show()
  local board = M.execute("goldlens.score")
  if type(board) ~= "table" then
    return vim.notify("This file has no gold; :GoldlensSetGold names one", vim.log.levels.WARN)
  end
  local lines = {}
  for name, figure in vim.spairs(board.metrics or {}) do
    local score = type(figure) == "table" and (number(figure.f1) or number(figure.value)) or "–"
    table.insert(lines, ("%-20s %8s"):format(name, score))
  end
  vim.notify(table.concat(lines, "\n"))
end

--- Inserts text below the cursor, or opens it in a window if the buffer is not to be changed.
local function insert(text)
  local lines = vim.split(vim.trim(text), "\n")
  if vim.bo.filetype == "conllu" or vim.bo.filetype == "iob2" or not vim.bo.modifiable then
    vim.cmd.new()
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype = "nofile", "wipe", "markdown"
    vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  else
    vim.api.nvim_put(lines, "l", true, true)
  end
end

--- Results rows in a format: into a new window, so that they can be taken elsewhere.
function M.rows(format)
  insert(M.execute("goldlens.rows", { format = format }))
end

--- A table of this prediction, A, beside another one, B.
function M.compare(other)
  local found = M.execute("goldlens.compare", { other = vim.fn.fnamemodify(other, ":p") })
  local lines = { "| Metric | A | B | Difference | Interval | Differ |", "|---|---|---|---|---|---|" }
  for _, row in ipairs(found) do
    local interval = type(row.difference_ci) == "table"
        and ("[%.2f, %.2f]"):format(unpack(row.difference_ci))
      or "–"
    table.insert(
      lines,
      ("| %s | %s | %s | %s | %s | %s |"):format(
        row.metric,
        number(row.a) or "–",
        number(row.b) or "–",
        number(row.difference) or "–",
        interval,
        row.differ == true and "yes" or "no"
      )
    )
  end
  insert(table.concat(lines, "\n"))
end

--- Goes to the sentence with most problems, or to the next or previous one that has any.
--- @param which string? "worst" if left out, "next" or "previous"
function M.seek(which)
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local found = M.execute("goldlens.seek", { which = which or "worst", line = row - 1 })
  if type(found) ~= "table" then
    vim.notify("No problems in this file", vim.log.levels.INFO)
    return
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { found.line + 1, 0 })
end

--- Holds the current buffer against another gold until the server ends.
function M.set_gold(gold)
  M.execute("goldlens.setGold", { gold = vim.fn.fnamemodify(gold, ":p") })
end

--- Opens a receipt of the evaluation in a window.
function M.receipt()
  insert(vim.json.encode(M.execute("goldlens.receipt")))
end

return M
