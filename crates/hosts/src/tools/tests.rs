use super::*;
use crate::HOSTS;

fn call(name: &str) -> ToolCall {
    call_at(Host::CLAUDE, name)
}

fn call_at(host: Host, name: &str) -> ToolCall {
    let class = host.class(name);
    ToolCall {
        name: name.to_owned(),
        class,
        paths: Vec::new(),
        command: None,
        prompt: None,
        id: None,
    }
}

#[test]
fn entries_are_classes_names_and_names_of_pi() {
    for (entry, name) in [
        ("@edit", "Write"),
        ("@edit", "NotebookEdit"),
        ("@shell", "Bash"),
        ("@agent", "Agent"),
        ("@web", "WebFetch"),
        ("@search", "Glob"),
        ("@read", "Read"),
        ("Write", "Write"),
        ("mcp__x__y", "mcp__x__y"),
        ("write", "Write"),
        ("edit", "MultiEdit"),
        ("bash", "KillShell"),
        ("find", "Glob"),
        ("ls", "LS"),
    ] {
        assert!(policed(Host::CLAUDE, &call(name)).is_meant_by(entry), "{entry} {name}");
    }
    for (entry, name) in [
        ("@edit", "Bash"),
        ("@other", "TodoWrite"),
        ("@", "TodoWrite"),
        ("@Edit", "Edit"),
        ("WRITE", "Write"),
        ("bash", "Read"),
        ("write", "Edit"),
        ("find", "Grep"),
        ("", "Write"),
    ] {
        assert!(!policed(Host::CLAUDE, &call(name)).is_meant_by(entry), "{entry} {name}");
    }
}

#[test]
fn every_host_has_tools_of_every_kind() {
    for (host, entry, names) in [
        (Host::CODEX, "@edit", &["apply_patch"][..]),
        (Host::CODEX, "write", &["apply_patch"]),
        (Host::CODEX, "bash", &["Bash", "exec_command"]),
        (Host::CODEX, "@agent", &["spawn_agent"]),
        (Host::GEMINI, "@edit", &["write_file", "replace"]),
        (Host::GEMINI, "edit", &["replace"]),
        (Host::GEMINI, "bash", &["run_shell_command"]),
        (Host::GEMINI, "find", &["glob"]),
        (Host::GEMINI, "@web", &["web_fetch"]),
        (Host::COPILOT, "@shell", &["bash", "Bash", "powershell", "write_bash"]),
        (Host::COPILOT, "read", &["view", "Read"]),
        (Host::COPILOT, "write", &["create", "Write"]),
        (Host::OPENCODE, "@edit", &["edit", "write", "apply_patch"]),
        (Host::OPENCODE, "edit", &["edit", "multiedit"]),
        (Host::OPENCODE, "ls", &["list"]),
        (Host::PI, "@search", &["grep", "find", "ls"]),
        (Host::PI, "bash", &["bash"]),
    ] {
        for name in names {
            let call = policed(host, &call_at(host, name));
            assert!(call.is_meant_by(entry), "{host:?} {entry} {name}");
        }
    }
    for (host, entry, name) in [
        (Host::CODEX, "@edit", "Write"),
        (Host::GEMINI, "write", "replace"),
        (Host::COPILOT, "ls", "view"),
        (Host::OPENCODE, "bash", "read"),
        (Host::PI, "find", "grep"),
        (Host::CLAUDE, "@shell", "bash"),
    ] {
        let call = policed(host, &call_at(host, name));
        assert!(!call.is_meant_by(entry), "{host:?} {entry} {name}");
    }
}

#[test]
fn no_tool_is_of_two_kinds_and_every_counterpart_is_a_tool() {
    for host in HOSTS {
        let tools = host.row().tools;
        let mut names: Vec<&str> = tools.iter().flat_map(|(_, names)| *names).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{host:?}");
        for (pi, counterparts) in host.row().counterparts {
            assert!(OF_PI.contains(pi), "{host:?} {pi}");
            let strange = counterparts.iter().find(|name| !names.contains(name));
            assert_eq!(strange, None, "{host:?} {pi}");
            assert!(Host::PI.counterparts(pi).is_empty());
        }
    }
}

#[test]
fn every_host_names_the_tools_of_mcp_servers_in_its_own_way() {
    for (host, name) in [
        (Host::CODEX, "mcp__sprag__workflow_step"),
        (Host::GEMINI, "mcp_sprag_workflow_step"),
        (Host::GEMINI, "mcp__sprag__workflow_step"),
        (Host::COPILOT, "sprag-workflow_step"),
        (Host::OPENCODE, "sprag_workflow_step"),
        (Host::PI, "workflow_step"),
    ] {
        assert!(advances(host, &call_at(host, name)), "{host:?} {name}");
    }
    for (host, name) in [
        (Host::CODEX, "sprag_workflow_step"),
        (Host::GEMINI, "mcp_other_workflow_step"),
        (Host::COPILOT, "other-workflow_step"),
        (Host::OPENCODE, "not_sprag_workflow_step"),
        (Host::PI, "mcp__sprag__workflow_step"),
    ] {
        assert!(!advances(host, &call_at(host, name)), "{host:?} {name}");
    }
}

#[test]
fn the_tool_that_moves_a_workflow_has_several_names() {
    for name in
        ["workflow_step", "mcp__sprag__workflow_step", "mcp__plugin_sprag_sprag__workflow_step"]
    {
        assert!(advances(Host::CLAUDE, &call(name)), "{name}");
    }
    for name in ["mcp__other__workflow_step", "workflow_steps", "mcp__sprag__sprag_status"] {
        assert!(!advances(Host::CLAUDE, &call(name)), "{name}");
    }
    let typed = |text: &str| ToolCall { command: Some(text.to_owned()), ..call("Bash") };
    for text in ["sprag step next", "sprag -C /home/dev/proj step next --summary 'it > is'"] {
        assert!(advances(Host::CLAUDE, &typed(text)), "{text}");
    }
    for text in [
        "sprag step next; rm -rf src",
        "sprag step next && make",
        "sprag step next > notes",
        "sprag step next $(make)",
        "sprag step next | tee x",
        "sprag step next <(make)",
        "./sprag step next",
        "PATH=. sprag step next",
        "sprag status",
        "sprag start step",
        "step",
        "",
    ] {
        assert!(!advances(Host::CLAUDE, &typed(text)), "{text}");
    }
}
