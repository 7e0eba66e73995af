use super::*;

fn call(name: &str) -> ToolCall {
    call_at(Host::Claude, name)
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
        assert!(policed(Host::Claude, &call(name)).is_meant_by(entry), "{entry} {name}");
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
        assert!(!policed(Host::Claude, &call(name)).is_meant_by(entry), "{entry} {name}");
    }
}

#[test]
fn every_host_has_tools_of_every_kind() {
    for (host, entry, names) in [
        (Host::Codex, "@edit", &["apply_patch"][..]),
        (Host::Codex, "write", &["apply_patch"]),
        (Host::Codex, "bash", &["Bash", "exec_command"]),
        (Host::Codex, "@agent", &["spawn_agent"]),
        (Host::Gemini, "@edit", &["write_file", "replace"]),
        (Host::Gemini, "edit", &["replace"]),
        (Host::Gemini, "bash", &["run_shell_command"]),
        (Host::Gemini, "find", &["glob"]),
        (Host::Gemini, "@web", &["web_fetch"]),
        (Host::Copilot, "@shell", &["bash", "Bash", "powershell", "write_bash"]),
        (Host::Copilot, "read", &["view", "Read"]),
        (Host::Copilot, "write", &["create", "Write"]),
        (Host::Opencode, "@edit", &["edit", "write", "apply_patch"]),
        (Host::Opencode, "edit", &["edit", "multiedit"]),
        (Host::Opencode, "ls", &["list"]),
        (Host::Pi, "@search", &["grep", "find", "ls"]),
        (Host::Pi, "bash", &["bash"]),
    ] {
        for name in names {
            let call = policed(host, &call_at(host, name));
            assert!(call.is_meant_by(entry), "{host:?} {entry} {name}");
        }
    }
    for (host, entry, name) in [
        (Host::Codex, "@edit", "Write"),
        (Host::Gemini, "write", "replace"),
        (Host::Copilot, "ls", "view"),
        (Host::Opencode, "bash", "read"),
        (Host::Pi, "find", "grep"),
        (Host::Claude, "@shell", "bash"),
    ] {
        let call = policed(host, &call_at(host, name));
        assert!(!call.is_meant_by(entry), "{host:?} {entry} {name}");
    }
}

#[test]
fn no_tool_is_of_two_kinds_and_every_counterpart_is_a_tool() {
    for host in Host::ALL {
        let tools = host.dialect().tools;
        let mut names: Vec<&str> = tools.iter().flat_map(|(_, names)| *names).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{host:?}");
        for (pi, counterparts) in host.dialect().counterparts {
            assert!(OF_PI.contains(pi), "{host:?} {pi}");
            let strange = counterparts.iter().find(|name| !names.contains(name));
            assert_eq!(strange, None, "{host:?} {pi}");
            assert!(Host::Pi.counterparts(pi).is_empty());
        }
    }
}

#[test]
fn every_host_names_the_tools_of_mcp_servers_in_its_own_way() {
    for (host, name) in [
        (Host::Codex, "mcp__sprag__workflow_step"),
        (Host::Gemini, "mcp_sprag_workflow_step"),
        (Host::Gemini, "mcp__sprag__workflow_step"),
        (Host::Copilot, "sprag-workflow_step"),
        (Host::Opencode, "sprag_workflow_step"),
        (Host::Pi, "workflow_step"),
    ] {
        assert!(advances(host, &call_at(host, name)), "{host:?} {name}");
    }
    for (host, name) in [
        (Host::Codex, "sprag_workflow_step"),
        (Host::Gemini, "mcp_other_workflow_step"),
        (Host::Copilot, "other-workflow_step"),
        (Host::Opencode, "not_sprag_workflow_step"),
        (Host::Pi, "mcp__sprag__workflow_step"),
    ] {
        assert!(!advances(host, &call_at(host, name)), "{host:?} {name}");
    }
}

#[test]
fn the_tool_that_moves_a_workflow_has_several_names() {
    for name in
        ["workflow_step", "mcp__sprag__workflow_step", "mcp__plugin_sprag_sprag__workflow_step"]
    {
        assert!(advances(Host::Claude, &call(name)), "{name}");
    }
    for name in ["mcp__other__workflow_step", "workflow_steps", "mcp__sprag__sprag_status"] {
        assert!(!advances(Host::Claude, &call(name)), "{name}");
    }
    let typed = |text: &str| ToolCall { command: Some(text.to_owned()), ..call("Bash") };
    for text in ["sprag step next", "sprag -C /home/dev/proj step next --summary 'it > is'"] {
        assert!(advances(Host::Claude, &typed(text)), "{text}");
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
        assert!(!advances(Host::Claude, &typed(text)), "{text}");
    }
}
