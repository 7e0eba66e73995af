//! Real processes in the place of agents, as bad as they can be.

use std::time::Duration;

use sprag_core::Id;
use sprag_engine::process::Family;

use super::*;

/// Prepares a script of `sh` as an agent with a mark of its own.
fn script(mark: &str, text: &str) -> Job {
    Job {
        kind: Kind::Command(["sh", "-c", text].map(str::to_owned).to_vec()),
        prompt: "do it\n".to_owned(),
        folder: std::env::temp_dir(),
        person: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        environment: Vec::new(),
        effect: Id::parse(&format!("agent-{mark}-{}", std::process::id())).unwrap(),
        resume: None,
        limits: Limits {
            wall: Duration::from_secs(30),
            idle: Duration::from_secs(30),
            output: 1 << 30,
        },
        deny: Vec::new(),
        extra: Vec::new(),
    }
}

/// Lets an agent work, and asserts that nothing is left of it.
fn run(job: &Job) -> (Finish, Vec<Heard>) {
    let mut all = Vec::new();
    let finish = work(job, &Stop::new().unwrap(), &mut |heard| all.push(heard.clone()));
    assert!(!finish.left_behind);
    assert!(!Family::of(&job.effect).is_alive(), "something carries its mark");
    (finish, all)
}

#[test]
fn a_program_reads_the_prompt_and_its_output_is_what_it_said() {
    let (finish, heard) = run(&script("plain", "cat; echo done; echo why >&2; exit 3"));
    assert_eq!((finish.how, finish.said.as_str()), (How::Exit(3), "do it\ndone\n"));
    assert_eq!(finish.complaint, "why");
    assert_eq!(heard, ["do it", "done"].map(|line| Heard::Text(line.to_owned())));
}
