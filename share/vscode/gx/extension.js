// gx in VS Code: what `gx lsp` says, as the editor's own; its debugger is `gx dap`.
"use strict";
const vscode = require("vscode");
const { Client } = require("./client.js");

let client = null;
let mistakes = null;

const toPosition = (p) => new vscode.Position(p.line, p.character);
const toRange = (r) => new vscode.Range(toPosition(r.start), toPosition(r.end));
const toPlace = (p) => new vscode.Location(vscode.Uri.parse(p.uri), toRange(p.range));
const fromPosition = (p) => ({ line: p.line, character: p.character });
const fromRange = (r) => ({ start: fromPosition(r.start), end: fromPosition(r.end) });
const isGx = (document) => document.languageId === "gx";
const named = (document) => ({ uri: document.uri.toString() });
const at = (document, position) => ({
  textDocument: named(document),
  position: fromPosition(position),
});

function toMarkdown(content) {
  if (!content) return undefined;
  return content.kind === "markdown" ? new vscode.MarkdownString(content.value) : content.value;
}

function toDiagnostic(d) {
  const made = new vscode.Diagnostic(toRange(d.range), d.message, vscode.DiagnosticSeverity.Error);
  made.source = d.source;
  made.code = d.code;
  return made;
}

function toEdit(edit) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(edit.changes)) {
    for (const e of edits) made.replace(vscode.Uri.parse(uri), toRange(e.range), e.newText);
  }
  return made;
}

function toItem(item) {
  // The kinds of the protocol begin at 1, those of VS Code at 0.
  const made = new vscode.CompletionItem(item.label, item.kind ? item.kind - 1 : undefined);
  made.sortText = item.sortText;
  made.detail = item.detail;
  made.gx = item;
  if (item.textEdit) {
    made.range = toRange(item.textEdit.range);
    made.insertText = item.textEdit.newText;
  }
  return made;
}

function toSymbol(s) {
  const made = new vscode.DocumentSymbol(s.name, s.detail || "", s.kind - 1, toRange(s.range),
    toRange(s.selectionRange));
  made.children = (s.children || []).map(toSymbol);
  return made;
}

function toSignatures(help) {
  const made = new vscode.SignatureHelp();
  made.activeSignature = help.activeSignature;
  made.activeParameter = help.activeParameter;
  made.signatures = help.signatures.map((s) => {
    const one = new vscode.SignatureInformation(s.label, toMarkdown(s.documentation));
    one.parameters = s.parameters.map((p) => new vscode.ParameterInformation(p.label));
    return one;
  });
  return made;
}

// What each request of the editor becomes.
function register(context) {
  const gx = { language: "gx" };
  const add = (what) => context.subscriptions.push(what);
  const ask = (method, params, token) => client.ask(`textDocument/${method}`, params, token);
  add(vscode.languages.registerCompletionItemProvider(gx, {
    async provideCompletionItems(document, position, token) {
      const list = await ask("completion", at(document, position), token);
      return list && new vscode.CompletionList(list.items.map(toItem), list.isIncomplete);
    },
    async resolveCompletionItem(item, token) {
      const full = await client.ask("completionItem/resolve", item.gx, token);
      if (full) item.documentation = toMarkdown(full.documentation);
      return item;
    },
  }, "."));
  add(vscode.languages.registerHoverProvider(gx, {
    async provideHover(document, position, token) {
      const h = await ask("hover", at(document, position), token);
      return h && new vscode.Hover(toMarkdown(h.contents), toRange(h.range));
    },
  }));
  add(vscode.languages.registerSignatureHelpProvider(gx, {
    async provideSignatureHelp(document, position, token) {
      const help = await ask("signatureHelp", at(document, position), token);
      return help && toSignatures(help);
    },
  }, "(", ","));
  add(vscode.languages.registerDefinitionProvider(gx, {
    async provideDefinition(document, position, token) {
      const place = await ask("definition", at(document, position), token);
      return place && toPlace(place);
    },
  }));
  add(vscode.languages.registerReferenceProvider(gx, {
    async provideReferences(document, position, context, token) {
      const params = { ...at(document, position),
        context: { includeDeclaration: context.includeDeclaration } };
      return ((await ask("references", params, token)) || []).map(toPlace);
    },
  }));
  add(vscode.languages.registerDocumentHighlightProvider(gx, {
    async provideDocumentHighlights(document, position, token) {
      const found = (await ask("documentHighlight", at(document, position), token)) || [];
      return found.map((h) => new vscode.DocumentHighlight(toRange(h.range), h.kind - 1));
    },
  }));
  add(vscode.languages.registerRenameProvider(gx, {
    async prepareRename(document, position, token) {
      const place = await ask("prepareRename", at(document, position), token);
      return { range: toRange(place.range), placeholder: place.placeholder };
    },
    async provideRenameEdits(document, position, newName, token) {
      return toEdit(await ask("rename", { ...at(document, position), newName }, token));
    },
  }));
  add(vscode.languages.registerDocumentFormattingEditProvider(gx, {
    async provideDocumentFormattingEdits(document, options, token) {
      const params = { textDocument: named(document), options };
      const edits = (await ask("formatting", params, token)) || [];
      return edits.map((e) => new vscode.TextEdit(toRange(e.range), e.newText));
    },
  }));
  add(vscode.languages.registerDocumentSymbolProvider(gx, {
    async provideDocumentSymbols(document, token) {
      return ((await ask("documentSymbol", { textDocument: named(document) }, token)) || [])
        .map(toSymbol);
    },
  }));
  add(vscode.languages.registerCodeActionsProvider(gx, {
    async provideCodeActions(document, range, context, token) {
      const params = { textDocument: named(document), range: fromRange(range),
        context: { diagnostics: [] } };
      return ((await ask("codeAction", params, token)) || []).map((a) => {
        const made = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
        made.diagnostics = a.diagnostics.map(toDiagnostic);
        made.edit = toEdit(a.edit);
        made.isPreferred = a.isPreferred;
        return made;
      });
    },
  }));
}

function opened(document) {
  if (!isGx(document)) return;
  client.tell("textDocument/didOpen", { textDocument: { ...named(document), languageId: "gx",
    version: document.version, text: document.getText() } });
}

function changed(event) {
  if (!isGx(event.document) || !event.contentChanges.length) return;
  client.tell("textDocument/didChange", {
    textDocument: { ...named(event.document), version: event.document.version },
    contentChanges: event.contentChanges.map((c) => ({ range: fromRange(c.range), text: c.text })),
  });
}

function closed(document) {
  if (isGx(document)) client.tell("textDocument/didClose", { textDocument: named(document) });
}

const program = () => vscode.workspace.getConfiguration("gx").get("path") || "gx";

function registerDebugger(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("gx", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(program(), ["dap"]),
    }),
    vscode.debug.registerDebugConfigurationProvider("gx", {
      // F5 without a launch.json: the file that is open.
      resolveDebugConfiguration: (folder, config) => (config.type ? config
        : { type: "gx", request: "launch", name: "gx: this file", program: "${file}" }),
    }));
}

async function activate(context) {
  const command = program();
  registerDebugger(context);
  mistakes = vscode.languages.createDiagnosticCollection("gx");
  context.subscriptions.push(mistakes);
  const told = (method, params) => {
    if (method === "textDocument/publishDiagnostics")
      mistakes.set(vscode.Uri.parse(params.uri), params.diagnostics.map(toDiagnostic));
  };
  client = new Client(command, ["lsp"], told, (text) => vscode.window.showErrorMessage(
    `gx: ${text}. The setting gx.path says where the program gx is.`));
  const folders = (vscode.workspace.workspaceFolders || [])
    .map((f) => ({ uri: f.uri.toString(), name: f.name }));
  await client.ask("initialize", {
    processId: process.pid,
    workspaceFolders: folders,
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  }).catch(() => null);
  client.tell("initialized", {});
  register(context);
  vscode.workspace.textDocuments.forEach(opened);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(closed));
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
