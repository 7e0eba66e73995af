//! The schema of `config.yaml` has the hosts of the table.

use serde_json::Value;
use sprag_formats::Schema;

#[test]
fn the_schema_has_exactly_the_hosts_of_the_table() {
    let schema: Value = serde_json::from_str(Schema::Config.text()).unwrap();
    let hosts = schema["properties"]["hosts"]["properties"].as_object().unwrap();
    let mut listed: Vec<&str> = hosts.keys().map(String::as_str).collect();
    let mut names = sprag_hosts::names();
    listed.sort_unstable();
    names.sort_unstable();
    assert_eq!(listed, names);
}
