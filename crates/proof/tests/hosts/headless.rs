//! The required behaviour of every client as an agent of the runner: it edits and runs commands
//! without asking a user, its output is parsed, and its session is resumed.

use std::ffi::OsString;
use std::path::Path;

use sprag_core::EffectId;
use sprag_hosts::Host;
use sprag_run::agent::{AgentEnd, AgentKind, Exit, Job, Limits, OutputEvent, StopHandle, work};
use sprag_testkit::model::{Model, Step};

use crate::client::{Client, program};
use crate::world::{PART, World};

/// Runs a client as an agent: it uses its shell, creates a file and reports it. Then its session is
/// resumed for another message.
pub(crate) fn shows<C: Client>() {
    let Some(program) = program::<C>("as an agent of the runner") else { return };
    let world = World::untouched();
    world.installs(C::NAME, &program);
    let model = Model::start([
        Step { text: "I begin.".to_owned(), ..Step::uses([C::shell("echo ran > ran.txt")]) },
        Step::uses([C::makes(&world, PART, "good")]),
        Step::says("It is done."),
        Step::says("As I said."),
    ]);
    C::settle(&world, &model);
    let mut job = job::<C>(&world, &program, &model);
    let (finish, heard) = run(&job);
    assert_eq!(
        (&finish.exit, finish.said.as_str()),
        (&Ok(Exit::Code(0)), "It is done."),
        "{finish:?}"
    );
    assert_eq!((&finish.limited, &finish.failed), (&None, &None));
    assert_eq!(world.env.read("ran.txt").as_deref(), Some("ran\n"));
    assert_eq!(world.env.read(PART).as_deref(), Some("good\n"));
    let tools = heard.iter().filter(|heard| matches!(heard, OutputEvent::Tool { .. })).count();
    assert_eq!(tools, 2, "{heard:?}");
    assert!(heard.contains(&OutputEvent::Text("I begin.".to_owned())), "{heard:?}");
    job.resume.clone_from(&finish.session);
    let (again, _) = run(&job);
    assert_eq!((&again.exit, again.said.as_str()), (&Ok(Exit::Code(0)), "As I said."), "{again:?}");
    assert!(again.session.is_some() && again.session == finish.session, "{again:?}");
    assert!(model.heard().last().unwrap().says("It is done."), "it does not know what it said");
    assert_eq!(model.faults(), Vec::<String>::new());
}

/// Runs a client whose model is silent, until a stop is requested.
pub(crate) fn stops<C: Client>() {
    let Some(program) = program::<C>("as an agent that hangs") else { return };
    let world = World::untouched();
    world.installs(C::NAME, &program);
    let model = Model::start([Step::thinks()]);
    C::settle(&world, &model);
    let job = job::<C>(&world, &program, &model);
    let stop = StopHandle::new().unwrap();
    let finish = std::thread::scope(|scope| {
        let asks = stop.clone();
        let model = &model;
        scope.spawn(move || {
            model.wait_for(1);
            asks.ask();
        });
        work(&job, &stop, &mut |_| {})
    });
    assert_eq!((finish.exit, finish.left_behind), (Ok(Exit::Stopped), false));
}

fn run(job: &Job) -> (AgentEnd, Vec<OutputEvent>) {
    let mut heard = Vec::new();
    let finish = work(job, &StopHandle::new().unwrap(), &mut |one| heard.push(one.clone()));
    assert!(!finish.left_behind);
    (finish, heard)
}

fn job<C: Client>(world: &World, program: &Path, model: &Model) -> Job {
    // The whole environment of this world's user; the arguments come from sprag.
    let command = C::start(program, world, model, "");
    let variables =
        command.get_envs().filter_map(|(name, value)| Some((name.into(), value?.into())));
    let person: Vec<(OsString, OsString)> = variables.collect();
    Job {
        kind: AgentKind::Host(Host::from_name(C::NAME).unwrap()),
        prompt: "Please work on part.txt.\n".to_owned(),
        folder: world.env.project(),
        person,
        environment: Vec::new(),
        effect: EffectId::parse(&format!("headless-{}-{}", C::NAME, std::process::id())).unwrap(),
        resume: None,
        limits: Limits { wall: C::LIMIT, idle: C::LIMIT, ..Limits::default() },
        deny: Vec::new(),
        extra: C::words(),
    }
}
