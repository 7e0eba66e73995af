// sprag's bridge into pi. It sends events to one long-lived `sprag rpc` and carries out the answers.
// It decides nothing. `sprag init` installs it as an extension; docs/rpc.md describes the protocol.
// If sprag does not answer, the agent continues and the person sees a warning.
//
// It has no type annotations, so that a test can run it with plain node.
import { spawn } from "node:child_process"

const PROGRAM = "sprag" // `sprag init` writes the full path here
const PATIENCE = 2000 // ms for every answer that the agent waits for
const WORDS = 8000 // characters of the agent's last message
const OLD = 250 // ms within which a pi that asks before it settles has asked

/** Starts a `sprag rpc`. `heard` receives each answer, `ended` the reason for its end. */
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

/** Sends requests to sprag. Nothing here ever fails: a missing answer is undefined. */
function speaker(tell) {
  const waiting = new Map()
  let child
  let last = 0
  let told
  // Shows each reason once, not at every step.
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
    /** Asks the long-lived process and waits at most 2 s. */
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
        // The process must not keep the host from ending; it ends by itself when the host does.
        for (const one of [child, child.stdin, child.stdout]) one.unref?.()
      }),
    /** Asks a process of its own, so that no other request waits behind the gates. */
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
  let beside = false // pi-workflows is installed and drives the workflows instead
  let asksBefore = false // this pi asks before it settles
  let ready = false

  const ours = (entry) => entry.type === "custom" && entry.customType === "workflow:state"
  const branch = (ctx) => ctx.sessionManager.getBranch().filter(ours)
  /** The agent's last message: it may have a loop's completion phrase, or the reason for a changed test. */
  const lastWords = (ctx) => {
    const said = ctx.sessionManager.getBranch().findLast(({ message }) => message?.role === "assistant")
    const parts = Array.isArray(said?.message.content) ? said.message.content : []
    return parts.filter(({ type }) => type === "text").map(({ text }) => text).join("\n").slice(-WORDS)
  }
  const request = (ctx, event, data) => {
    face = ctx
    return { host: "pi", session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, event, data }
  }

  /** Carries out sprag's effects; returns the texts for the agent, which only some events can deliver. */
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
    // sprag registers nothing in a folder that is not its project.
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
    // An older pi never asks before it settles; it can only be prompted again once it is idle.
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
