// sprag's bridge into pi: it tells one long-lived `sprag rpc` what happens here, and does what comes
// back. It decides nothing. `sprag init` puts it among the extensions; docs/rpc.md says what is
// spoken. Where sprag does not answer, the agent goes on, and the person is told so.
//
// Without a type annotation on purpose: plain node can run it, and so a test does.
import { spawn } from "node:child_process"

const PROGRAM = "sprag" // `sprag init` writes the whole path here
const PATIENCE = 2000 // ms for everything that holds the agent up
const WORDS = 8000 // characters of what the agent said last
const OLD = 250 // ms after which a pi that asks before it settles would have asked

/** Starts a `sprag rpc`; `heard` gets each answer, `ended` the reason when it is gone. */
function start(heard, ended) {
  const child = spawn(PROGRAM, ["rpc"], { stdio: ["pipe", "pipe", "ignore"] })
  let rest = ""
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (piece) => {
    const lines = (rest + piece).split("\n")
    rest = lines.pop()
    for (const line of lines) heard(JSON.parse(line))
  })
  child.stdin.on("error", () => {})
  child.on("error", (error) => ended(String(error)))
  child.on("close", () => ended("it ended"))
  return child
}

/** Speaks to sprag. Nothing here ever fails: an answer that does not come is undefined. */
function speaker(tell) {
  const waiting = new Map()
  let child
  let last = 0
  let told
  // Once a reason: where sprag is missing, nobody wants to hear it at every step.
  const missing = (why) => {
    if (told !== why) tell(`sprag cannot be asked (${why}); going on without it`, "warning")
    told = why
  }
  const gone = (why) => {
    if (waiting.size > 0) missing(why)
    for (const answer of waiting.values()) answer()
    waiting.clear()
    child = undefined
  }
  return {
    /** Asks the long-lived process, for at most 2 s. */
    ask: (request) =>
      new Promise((resolve) => {
        const id = ++last
        const timer = setTimeout(() => {
          waiting.delete(id)
          tell(`sprag gave no answer to ${request.event} in 2 s; going on without it`, "warning")
          resolve()
        }, PATIENCE)
        waiting.set(id, (answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        })
        child ??= start((answer) => waiting.get(answer.id)?.(answer), gone)
        child.stdin.write(JSON.stringify({ v: 1, id, ...request }) + "\n")
        // It must not keep the host from ending; it ends itself when that does.
        for (const one of [child, child.stdin, child.stdout]) one.unref?.()
      }),
    /** Asks a process of its own: gates take as long as they take, and nobody waits behind them. */
    askAlone: (request) =>
      new Promise((resolve) => {
        let answer
        const heard = (line) => (answer = line.id === 1 ? line : answer)
        const alone = start(heard, (why) => {
          if (!answer) missing(why)
          resolve(answer)
        })
        alone.stdin.end(JSON.stringify({ v: 1, id: 1, ...request }) + "\n")
      }),
    close: () => child?.stdin.end(),
  }
}

export default function (pi) {
  let face
  const tell = (message, level) => {
    if (face?.hasUI) face.ui.notify(message, level)
    else process.stderr.write(`${message}\n`)
  }
  const { ask, askAlone, close } = speaker(tell)
  let beside = false // the original is installed: it, and not this, drives the workflows
  let asksBefore = false // this pi asks before it settles
  let ready = false

  const ours = (entry) => entry.type === "custom" && entry.customType === "workflow:state"
  const branch = (ctx) => ctx.sessionManager.getBranch().filter(ours)
  /** What the agent said last: a loop's completion phrase, or why it changed a test. */
  const lastWords = (ctx) => {
    const said = ctx.sessionManager.getBranch().findLast(({ message }) => message?.role === "assistant")
    const parts = Array.isArray(said?.message.content) ? said.message.content : []
    return parts.filter(({ type }) => type === "text").map(({ text }) => text).join("\n").slice(-WORDS)
  }
  const request = (ctx, event, data) => {
    face = ctx
    return { host: "pi", session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, event, data }
  }

  /** Does what sprag says; returns what it says to the agent, which only some events can carry. */
  const perform = (answer, ctx) => {
    const said = []
    if (answer?.error) tell(`sprag: ${answer.error}`, "warning")
    for (const effect of answer?.effects ?? []) {
      if (effect.fx === "append_entry") pi.appendEntry(effect.customType, effect.data)
      if (effect.fx === "set_status") ctx.ui?.setStatus?.(effect.key, effect.text ?? undefined)
      if (effect.fx === "set_session_name") pi.setSessionName?.(effect.name)
      if (effect.fx === "set_env") process.env[effect.name] = effect.value
      if (effect.fx === "notify") tell(effect.message, effect.level)
      if (effect.fx === "send_user_message") said.push(effect.text)
      if (effect.fx === "send_message") {
        const { customType, content, display, triggerTurn } = effect
        pi.sendMessage({ customType, content, display }, { triggerTurn })
      }
    }
    return said
  }
  const send = (said, ctx) => {
    const how = ctx.isIdle?.() === false ? { deliverAs: "followUp" } : undefined
    for (const text of said) pi.sendUserMessage(text, how)
  }

  /** Registers the tool and the commands that sprag names, unless the original has them. */
  const prepare = async (ctx) => {
    if (ready || beside) return
    if ((pi.getAllTools?.() ?? []).some((tool) => tool.name === "workflow_step")) {
      beside = true
      face = ctx
      tell("pi-workflows is installed, so sprag stays out; `sprag init` offers a switch", "warning")
      return
    }
    const hello = (await ask(request(ctx, "hello", {})))?.out
    // Nothing in a folder that is not sprag's.
    if (!hello?.tools) return
    ready = true
    for (const tool of hello.tools) pi.registerTool({ ...tool, execute })
    for (const { name, description } of hello.commands) {
      pi.registerCommand(name, { description, handler: (args, own) => command(name, args, own) })
    }
  }

  const execute = async (_id, params, _signal, _onUpdate, ctx) => {
    const answer = await askAlone(request(ctx, "step", params))
    perform(answer, ctx)
    const nothing = [{ type: "text", text: "sprag gave no answer." }]
    return { content: answer?.out?.content ?? nothing, details: answer?.out?.details ?? {} }
  }

  const command = async (name, args, ctx) => {
    let answer = await ask(request(ctx, "command", { name, args }))
    const question = answer?.effects?.find((effect) => effect.fx === "confirm" && !effect.answer)
    if (question) {
      if (!(await ctx.ui.confirm(question.title, question.message))) return
      answer = await ask(request(ctx, "command", { name, args, confirm: true }))
    }
    send(perform(answer, ctx), ctx)
  }

  const on = (event, handler) =>
    pi.on(event, async (data, ctx) => (beside ? undefined : handler(data, ctx)))

  for (const event of ["session_start", "session_tree"]) {
    on(event, async ({ reason }, ctx) => {
      await prepare(ctx)
      if (!beside) perform(await ask(request(ctx, event, { reason, branch: branch(ctx) })), ctx)
    })
  }
  on("before_agent_start", async ({ prompt }, ctx) => {
    const answer = await ask(request(ctx, "before_agent_start", { prompt }))
    perform(answer, ctx)
    return answer?.out ?? undefined
  })
  on("tool_call", async ({ toolName: tool, input }, ctx) => {
    const answer = await ask(request(ctx, "tool_call", { tool, input }))
    perform(answer, ctx)
    return answer?.out ?? undefined
  })
  on("tool_result", async ({ toolName: tool }, ctx) => {
    perform(await ask(request(ctx, "tool_result", { tool })), ctx)
  })
  on("turn_end", async (_event, ctx) => {
    perform(await ask(request(ctx, "turn_end", { branch: branch(ctx) })), ctx)
  })
  on("agent_before_settle", async ({ outcome, entries }, ctx) => {
    asksBefore = true
    const settled = { outcome, last_assistant_message: lastWords(ctx) }
    const said = perform(await askAlone(request(ctx, "agent_before_settle", settled)), ctx)
    if (said.length === 0) return undefined
    const content = said.join("\n\n")
    const refusal = { type: "custom_message", customType: "sprag:refusal", content, display: true }
    return { entries: [...(entries ?? []), refusal], continue: true }
  })
  on("agent_end", async ({ messages }, ctx) => {
    if (asksBefore) return
    // An older pi never asks; it can only be prompted again once it is idle.
    const ends = (messages ?? []).map(({ role, stopReason }) => ({ role, stopReason }))
    setTimeout(async () => {
      if (asksBefore || ctx.isIdle?.() === false || ctx.hasPendingMessages?.()) return
      const ended = { messages: ends, last_assistant_message: lastWords(ctx) }
      send(perform(await askAlone(request(ctx, "agent_end", ended)), ctx), ctx)
    }, OLD)
  })
  on("session_shutdown", async ({ reason }, ctx) => {
    await ask(request(ctx, "session_shutdown", { reason }))
    close()
  })
}
