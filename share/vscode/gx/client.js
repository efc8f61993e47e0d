// A client of a language server: JSON-RPC over the standard streams of a program.
"use strict";
const { spawn } = require("child_process");

class Client {
  // told(method, params): a notice of the server; ended(text): it has ended, or could not start.
  constructor(command, args, told, ended) {
    this.told = told;
    this.ended = ended;
    this.waiting = new Map();
    this.last = 0;
    this.input = Buffer.alloc(0);
    this.errors = "";
    this.alive = true;
    this.program = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.program.on("error", (e) => this.end(`cannot start '${command}': ${e.message}`));
    this.program.on("exit", (status) => this.end(`'${command}' ended with status ${status}`));
    this.program.stdin.on("error", () => {});
    this.program.stdout.on("data", (data) => this.read(data));
    this.program.stderr.on("data", (data) => {
      this.errors = (this.errors + data).slice(-4000);
    });
  }

  end(text) {
    if (!this.alive) return;
    this.alive = false;
    for (const { reject } of this.waiting.values()) reject(new Error(text));
    this.waiting.clear();
    this.ended(this.errors ? `${text}\n${this.errors}` : text);
  }

  read(data) {
    this.input = Buffer.concat([this.input, data]);
    for (;;) {
      const head = this.input.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = /content-length: *(\d+)/i.exec(this.input.toString("latin1", 0, head));
      const end = head + 4 + (length ? Number(length[1]) : 0);
      if (this.input.length < end) return;
      const text = this.input.toString("utf8", head + 4, end);
      this.input = this.input.subarray(end);
      this.take(JSON.parse(text));
    }
  }

  take(message) {
    if (message.method !== undefined) {
      this.told(message.method, message.params);
      return;
    }
    const asked = this.waiting.get(message.id);
    if (!asked) return;
    this.waiting.delete(message.id);
    if (message.error) asked.reject(new Error(message.error.message));
    else asked.resolve(message.result);
  }

  send(message) {
    if (!this.alive) return;
    const data = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.program.stdin.write(`Content-Length: ${data.length}\r\n\r\n`);
    this.program.stdin.write(data);
  }

  tell(method, params) {
    this.send({ method, params });
  }

  // token: of vscode, or undefined; when it is cancelled so is the request.
  ask(method, params, token) {
    if (!this.alive) return Promise.resolve(null);
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    if (token) token.onCancellationRequested(() => this.tell("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return answer;
  }

  async stop() {
    if (!this.alive) return;
    this.ended = () => {};
    await this.ask("shutdown", null).catch(() => null);
    this.tell("exit", null);
    this.program.stdin.end();
  }
}

module.exports = { Client };
