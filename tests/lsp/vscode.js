// VS Code's extension (share/vscode/gx) with what it needs of the editor stood in for:
//   node tests/lsp/vscode.js GX ROOM
"use strict";
const fs = require("fs");
const path = require("path");
const Module = require("module");

const [gx, room] = process.argv.slice(2);
const providers = {};
const events = {};
const mistakes = new Map();

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
}
const holder = (...names) => class {
  constructor(...values) { names.forEach((n, i) => { this[n] = values[i]; }); }
};
class Edit {
  constructor() { this.list = []; }
  replace(uri, range, text) { this.list.push([uri.toString(), range, text]); }
}
const register = (name) => (selector, provider) => { providers[name] = provider; return {}; };
const event = (name) => (fn) => { events[name] = fn; return {}; };
const toUri = (text) => ({ toString: () => text });

function open(text, uri) {
  return { languageId: "gx", version: 1, uri: toUri(uri), getText: () => text };
}
const file = path.join(room, "main.gx");
const text = fs.readFileSync(file, "utf8");
const main = open(text, `file://${file}`);

const vscode = {
  Position, Range, WorkspaceEdit: Edit,
  Uri: { parse: toUri },
  Location: holder("uri", "range"), Hover: holder("contents", "range"),
  MarkdownString: holder("value"), TextEdit: holder("range", "newText"),
  Diagnostic: holder("range", "message", "severity"), DiagnosticSeverity: { Error: 0 },
  CompletionItem: holder("label", "kind"), CompletionList: holder("items", "isIncomplete"),
  SignatureHelp: holder(), SignatureInformation: holder("label", "documentation"),
  ParameterInformation: holder("label"), DocumentHighlight: holder("range", "kind"),
  DocumentSymbol: holder("name", "detail", "kind", "range", "selectionRange"),
  DebugAdapterExecutable: holder("command", "args"),
  debug: {
    registerDebugAdapterDescriptorFactory: (type, made) => { providers[`debug ${type}`] = made; },
    registerDebugConfigurationProvider: register("launch"),
  },
  CodeAction: holder("title", "kind"), CodeActionKind: { QuickFix: "quickfix" },
  window: { showErrorMessage: (t) => { console.log(`FAILED: ${t}`); } },
  workspace: {
    getConfiguration: () => ({ get: () => gx }), workspaceFolders: [], textDocuments: [main],
    onDidOpenTextDocument: event("open"), onDidChangeTextDocument: event("change"),
    onDidCloseTextDocument: event("close"),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => mistakes.set(uri.toString(), list) }),
    registerCompletionItemProvider: register("completion"), registerHoverProvider: register("hover"),
    registerSignatureHelpProvider: register("signature"),
    registerDefinitionProvider: register("definition"),
    registerReferenceProvider: register("references"),
    registerDocumentHighlightProvider: register("highlights"),
    registerRenameProvider: register("rename"),
    registerDocumentFormattingEditProvider: register("format"),
    registerDocumentSymbolProvider: register("symbols"),
    registerCodeActionsProvider: register("actions"),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.resolve("share/vscode/gx/extension.js"));

let passed = 0;
let failed = 0;
function judge(name, ok, what) {
  if (ok) passed++;
  else {
    failed++;
    console.log(`FAILED: ${name}: ${JSON.stringify(what)}`);
  }
}
function at(needle, more) {
  const before = text.slice(0, text.indexOf(needle) + more).split("\n");
  return new Position(before.length - 1, before[before.length - 1].length);
}

async function talk() {
  await extension.activate({ subscriptions: [] });
  const adapter = providers["debug gx"].createDebugAdapterDescriptor();
  judge("the debugger", adapter.command === gx && adapter.args.join() === "dap", adapter);
  const launch = providers.launch.resolveDebugConfiguration(undefined, {});
  judge("F5", launch.type === "gx" && launch.program === "${file}", launch);
  const hover = await providers.hover.provideHover(main, at("area(2", 1));
  judge("hover", hover.contents.value.includes("def area"), hover);
  judge("no mistakes", mistakes.get(main.uri.toString()).length === 0, [...mistakes]);
  const place = await providers.definition.provideDefinition(main, at("scale(a", 1));
  judge("definition", place.uri.toString().endsWith("/tools.gx"), place);
  const uses = await providers.references.provideReferences(main, at("total", 1),
    { includeDeclaration: true });
  judge("references", uses.length === 2, uses);
  const lit = await providers.highlights.provideDocumentHighlights(main, at("total", 1));
  judge("highlights", lit.map((h) => h.kind).join() === "2,1", lit);
  const ready = await providers.rename.prepareRename(main, at("total", 1));
  judge("prepareRename", ready.placeholder === "total", ready);
  const edit = await providers.rename.provideRenameEdits(main, at("total", 1), "product");
  judge("rename", edit.list.length === 2 && edit.list[0][2] === "product", edit);
  const refused = await providers.rename.prepareRename(main, at("print", 1)).catch((e) => e.message);
  judge("a builtin is not renamed", String(refused).includes("'print'"), refused);
  const outline = await providers.symbols.provideDocumentSymbols(main);
  judge("outline", outline[0].name === "Point" && outline[0].children.length === 2, outline);
  const style = await providers.format.provideDocumentFormattingEdits(main, {});
  judge("format", style.length === 0, style);

  const wrong = open("x = zerso(3)\n", `file://${room}/new.gx`);
  events.open(wrong);
  const range = new Range(new Position(0, 4), new Position(0, 9));
  const actions = await providers.actions.provideCodeActions(wrong, range);
  judge("a fix", actions[0].edit.list[0][2] === "zeros", actions);
  judge("a mistake", mistakes.get(wrong.uri.toString())[0].code === "name.unknown", [...mistakes]);
  wrong.version = 2;
  events.change({ document: wrong, contentChanges: [{ range, text: "linspa" }] });
  const list = await providers.completion.provideCompletionItems(wrong, new Position(0, 10));
  judge("completion", list.items[0].label === "linspace" && list.items[0].kind === 2, list);
  const item = await providers.completion.resolveCompletionItem(list.items[0]);
  judge("its documentation", item.documentation.value.includes("linspace(start"), item);
  const call = await providers.signature.provideSignatureHelp(main, at("2, h=3", 3));
  judge("signature", call.signatures[0].label === "area(w, h=1)" && call.activeParameter === 1, call);
  events.close(wrong);
  await providers.hover.provideHover(main, at("area(2", 1));
  judge("a closed document", mistakes.get(wrong.uri.toString()).length === 0, [...mistakes]);
  await extension.deactivate();
}

talk().catch((e) => judge("the talk", false, e.stack)).then(() => {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
});
