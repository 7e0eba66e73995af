//! A phase with a time limit.

use super::World;

fn write_workflow(world: &World, wall: &str) {
    let folder = ".sprag/workflows/dev";
    let head = "name: Dev\ncommandName: dev\ninitialMessage: Go\nphases: [build.md]\n";
    world.env.write(format!("{folder}/workflow.yaml"), head);
    let build = format!(
        "---\nid: build\nname: Build\nemoji: x\ngates: [{{run: sh test.sh}}]\n\
         limits: {{wall: {wall}}}\n---\nBuild.\n"
    );
    world.env.write(format!("{folder}/build.md"), build);
}

#[test]
fn its_agent_is_ended_the_phase_held_and_a_person_gives_it_its_time_again() {
    let world = World::new("[ $turn = 1 ] && { sleep 600 & sleep 600; }\necho good > code.txt");
    write_workflow(&world, "1s");
    let ran = world.sprag(&["run", "dev", "a thing"]);
    assert_eq!((ran.exit, world.turns()), (Some(5), 1), "{}", ran.stdout);
    assert!(ran.stdout.contains("the time for `dev/build` is over"), "{}", ran.stdout);
    world.nobody_is_left();
    let run = world.run();
    let ran = world.sprag(&["run", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(5), 1), "who only drives again does not renew it");
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}", ran.stdout);
}

#[test]
fn it_goes_on_through_tries() {
    let world = World::new("echo \"bad $turn\" > code.txt; sleep 0.4");
    write_workflow(&world, "1s");
    let ran = world.sprag(&["run", "dev", "a thing"]);
    assert!(ran.stdout.contains("the time for `dev/build` is over"), "{}", ran.stdout);
    assert!((1..=3).contains(&world.turns()), "{} turns", world.turns());
}
