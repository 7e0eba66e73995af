use super::super::ForgeError;

/// A repository on GitHub or a GitHub Enterprise host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The host, if it is not github.com.
    pub host: Option<String>,
    pub owner: String,
    /// Its name, which may contain dots.
    pub name: String,
}

impl Repository {
    /// Parses the address of a git remote in any of its forms.
    pub fn of_remote(url: &str) -> Result<Self, ForgeError> {
        let no = || {
            let why = format!("`{}` is no address of a repository on a forge", url.escape_debug());
            ForgeError::NoRepository { why }
        };
        let bare = url.trim().split_once("://").map_or(url.trim(), |(_, rest)| rest);
        let bare = bare.split_once('@').map_or(bare, |(_, rest)| rest);
        let (host, path) = bare.split_once([':', '/']).ok_or_else(no)?;
        // `ssh://host:22/owner/name` has a port before the path.
        let path = match path.split_once('/') {
            Some((port, rest)) if port.bytes().all(|byte| byte.is_ascii_digit()) => rest,
            Some(_) | None => path,
        };
        let path = path.trim_matches('/');
        let (owner, name) = path.split_once('/').ok_or_else(no)?;
        let name = name.strip_suffix(".git").unwrap_or(name);
        let word = |text: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            !text.is_empty() && !text.starts_with('-') && text.chars().all(fits)
        };
        if ![host, owner, name].into_iter().all(word) {
            return Err(no());
        }
        // A host without a dot is an ssh alias of the person's: `git@github-work:…`.
        let public = host == "github.com" || (host.contains("github") && !host.contains('.'));
        let host = Some(host.to_owned()).filter(|_| !public);
        Ok(Self { host, owner: owner.to_owned(), name: name.to_owned() })
    }
}

impl std::fmt::Display for Repository {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(host) = &self.host {
            write!(out, "{host}/")?;
        }
        write!(out, "{}/{}", self.owner, self.name)
    }
}
