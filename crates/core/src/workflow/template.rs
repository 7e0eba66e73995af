//! Templates: `{name}` is replaced by a value, in one pass.
//!
//! Values are inserted literally and never expanded again, so a task that contains `{taskId}`
//! cannot inject other values. Unknown names stay unchanged.

pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        let inside = &rest[at + 1..];
        let name = &inside[..inside.bytes().take_while(|&byte| is_word(byte)).count()];
        let value = values.iter().find(|(known, _)| *known == name);
        match value {
            Some((_, value)) if !name.is_empty() && inside[name.len()..].starts_with('}') => {
                filled.push_str(value);
                rest = &inside[name.len() + 1..];
            }
            Some(_) | None => {
                filled.push('{');
                rest = inside;
            }
        }
    }
    filled.push_str(rest);
    filled
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_inserted_once_and_literally() {
        let values = [("a", "{b}"), ("b", "$& {a}"), ("", "never")];
        assert_eq!(fill("{a}-{b}", &values), "{b}-$& {a}");
        assert_eq!(fill("{{a}} {c} {} { a } {a", &values), "{{b}} {c} {} { a } {a");
    }
}
