// sprag's bridge into opencode. It sends events to one long-lived `sprag rpc` and carries out the
// answers. It decides nothing. `sprag init` installs it in the plugin folder; docs/rpc.md describes the
// protocol. If sprag does not answer, the agent continues and the person sees a warning.
import { spawn } from "node:child_process"

const PROGRAM = "sprag" // `sprag init` writes the full path here
const COMMANDS = [] // `sprag init` writes the slash commands here
const PATIENCE = 2000 // ms for every answer that the agent waits for
const REFUSALS = 50 // in a row, no matter what sprag answers
const WORDS = 8000 // characters of the agent's last message

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

export const Sprag = async ({ client, directory }) => {
  const tell = (message, level) => {
    const variant = level === "info" ? "info" : "warning"
    const log = { service: "sprag", level: level === "info" ? "info" : "warn", message }
    Promise.resolve(client.app?.log?.({ body: log })).catch(() => {})
    Promise.resolve(client.tui?.showToast?.({ body: { message, variant } })).catch(() => {})
  }
  const { ask, askAlone, close } = speaker(tell)
  const sessions = new Map()

  /** The record of a session: its parent, and how its last turn went. */
  const known = async (id) => {
    if (!sessions.has(id)) {
      const found = await Promise.resolve(client.session.get({ path: { id } })).catch(() => {})
      // An event may have recorded the session meanwhile.
      if (!sessions.has(id)) sessions.set(id, { id, parent: found?.data?.parentID, env: {} })
    }
    const session = sessions.get(id)
    return session.parent ? { ...(await known(session.parent)), child: id } : session
  }

  const request = (session, event, data) => {
    const own = { ...data, agent_id: session.child, permission_mode: session.mode }
    return { host: "opencode", session: session.id, cwd: directory, event, data: own }
  }

  const perform = (session, answer) => {
    for (const effect of answer?.effects ?? []) {
      if (effect.fx === "notify") tell(effect.message, effect.level)
      if (effect.fx === "set_env") session.env[effect.name] = effect.value
    }
    if (answer?.error) tell(`sprag: ${answer.error}`, "warning")
    return answer?.out ?? {}
  }

  /** The agent's last message: it may have a loop's completion phrase, or the reason for a changed test. */
  const lastWords = async ({ id }) => {
    const found = await Promise.resolve(client.session.messages?.({ path: { id } })).catch(() => {})
    const said = found?.data?.findLast(({ info }) => info.role === "assistant")
    const texts = (said?.parts ?? []).filter(({ type }) => type === "text")
    return texts.map(({ text }) => text).join("\n").slice(-WORDS)
  }

  const stop = async (session) => {
    // After an interrupt or a model failure, opencode reports that it is idle, even twice. That is no
    // stop.
    if (session.child || session.busy || session.broken) return
    const { turn } = session
    session.busy = true
    const again = (session.refused ?? 0) > 0
    const said = { stop_hook_active: again, last_assistant_message: await lastWords(session) }
    const answer = await askAlone(request(session, "Stop", said))
    session.busy = false
    const out = perform(session, answer)
    // A prompt that came meanwhile has begun another turn.
    if (out.decision !== "block" || session.turn !== turn) return
    session.refused = (session.refused ?? 0) + 1
    if (session.refused > REFUSALS) return
    const body = { ...session.as, parts: [{ type: "text", text: out.reason }] }
    await Promise.resolve(client.session.promptAsync({ path: { id: session.id }, body })).catch(
      (error) => tell(`opencode did not go on: ${error}`, "warning"),
    )
  }

  return {
    config: async (config) => {
      config.mcp = { sprag: { type: "local", command: [PROGRAM, "mcp"] }, ...config.mcp }
      const ours = COMMANDS.map(({ name, ...command }) => [name, command])
      config.command = { ...Object.fromEntries(ours), ...config.command }
    },
    "chat.message": async (input, output) => {
      const session = await known(input.sessionID)
      // A subagent's task is not a person's prompt.
      if (session.child) return
      const { agent, model } = output.message ?? {}
      session.as = { ...(agent && { agent }), ...(model && { model }) }
      session.mode = agent === "plan" ? "plan" : undefined
      session.turn = (session.turn ?? 0) + 1
      session.broken = false
      const add = (answer) => {
        const text = perform(session, answer).hookSpecificOutput?.additionalContext
        if (!text) return
        const id = `prt_sprag${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
        const of = { id, sessionID: input.sessionID, messageID: output.message.id }
        output.parts.push({ ...of, type: "text", text, synthetic: true })
      }
      const texts = output.parts.filter((part) => part.type === "text")
      const prompt = texts.map((part) => part.text).join("\n")
      if (!session.begun) {
        session.begun = true
        add(await ask(request(session, "SessionStart", {})))
      }
      add(await ask(request(session, "UserPromptSubmit", { prompt })))
    },
    "tool.execute.before": async (input, output) => {
      const session = await known(input.sessionID)
      const call = { tool_name: input.tool, tool_use_id: input.callID, tool_input: output.args }
      const out = perform(session, await ask(request(session, "PreToolUse", call)))
      if (out.decision === "block") throw new Error(out.reason)
    },
    "tool.execute.after": async (input, output) => {
      const session = await known(input.sessionID)
      session.refused = 0
      const call = { tool_name: input.tool, tool_use_id: input.callID }
      const out = perform(session, await ask(request(session, "PostToolUse", call)))
      if (out.additionalContext) output.output += "\n" + out.additionalContext
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) Object.assign(output.env, (await known(input.sessionID)).env)
    },
    event: async ({ event }) => {
      // There are hundreds of events, and sprag needs only these few.
      const { sessionID, info } = event.properties ?? {}
      if (event.type === "session.created" || event.type === "session.updated") {
        const session = sessions.get(info.id) ?? { id: info.id, env: {} }
        session.parent = info.parentID
        sessions.set(info.id, session)
      } else if (event.type === "session.deleted") {
        sessions.delete(info?.id ?? sessionID)
      } else if (event.type === "session.error" && sessions.has(sessionID)) {
        sessions.get(sessionID).broken = true
      } else if (event.type === "session.idle") {
        await stop(await known(sessionID))
      }
    },
    dispose: async () => close(),
  }
}
