/// Implements both directions of [`Stored`](crate::Stored) from one list of keys.
///
/// ```
/// use sprag_core::{Plain, Stored, stored};
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Round { number: u32, kind: String, gaps: Vec<String>, looks: u32 }
/// stored!(struct Round { number, kind as "type", gaps, looks: unless_default });
///
/// let round = Round { number: 2, kind: "verify".into(), ..Round::default() };
/// assert_eq!(Round::lift(&round.lower()), Ok(round));
/// ```
///
/// The key of a field is its name, or the literal in `as "another"`. Its value has the stored form
/// of its type; `: or_default` reads a missing key as the default, and `: unless_default` also
/// omits a default. Further forms:
///
/// - `struct T or default { … }` reads null as the default.
/// - `filled struct T { … }` omits keys whose value is null.
/// - `struct T { …, ..default }` has more fields, which are not stored.
/// - `struct T { … } where fault` rejects a value for which `fault(&value)` returns a reason.
/// - `enum T, "hold" { "until" => Until { at, why }, "asked" => Asked(what) }` writes one key for
///   the variant, with a map of its fields, or with its only field as the value.
/// - `word T` writes `as_str` and looks it up in `T::ALL`.
#[macro_export]
macro_rules! stored {
    (struct $($rest:tt)*) => { $crate::stored!(@struct map $($rest)*); };
    (filled struct $($rest:tt)*) => { $crate::stored!(@struct filled $($rest)*); };

    (@struct $map:ident $type:ident $(or $default:ident)? {
        $($field:ident $(as $key:literal)? $(: $form:ident)?),+ $(, ..$others:ident)? $(,)?
    } $(where $fault:path)?) => {
        impl $crate::Stored for $type {
            fn lower(&self) -> $crate::Plain {
                $crate::Plain::$map([$((
                    $crate::stored!(@key $field $($key)?),
                    $crate::stored!(@lower self.$field $($form)?),
                )),+])
            }

            fn lift(plain: &$crate::Plain) -> ::std::result::Result<Self, $crate::Unreadable> {
                $(if *plain == $crate::Plain::Null {
                    return Ok(Self::$default());
                })?
                let fields = $crate::Fields::of(plain)?;
                let value = Self {
                    $($field: $crate::stored!(@lift fields [$field $($key)?] $($form)?),)+
                    $(..Self::$others())?
                };
                $(if let Some(fault) = $fault(&value) {
                    return Err(fault);
                })?
                Ok(value)
            }
        }
    };

    (enum $type:ident, $what:literal {
        $($name:literal => $variant:ident $(($only:ident))? $({ $($field:ident),+ })?),+ $(,)?
    }) => {
        impl $crate::Stored for $type {
            fn lower(&self) -> $crate::Plain {
                let (name, value) = match self {
                    $(Self::$variant { $($only)? $($($field),+)? } => (
                        $name,
                        $crate::stored!(@lower_variant $($only)? $({ $($field),+ })?),
                    ),)+
                };
                $crate::Plain::map([(name, value)])
            }

            fn lift(plain: &$crate::Plain) -> ::std::result::Result<Self, $crate::Unreadable> {
                let (name, value) = $crate::Fields::of(plain)?.only()?;
                let lift = || match name {
                    $($name => $crate::stored!(
                        @lift_variant value, $variant $($only)? $({ $($field),+ })?
                    ),)+
                    _ => Err($crate::Unreadable::here(concat!("there is no ", $what, " of this name"))),
                };
                lift().map_err(|bad: $crate::Unreadable| bad.below(name))
            }
        }
    };

    (word $type:ident) => {
        impl $crate::Stored for $type {
            fn lower(&self) -> $crate::Plain {
                self.as_str().into()
            }

            fn lift(plain: &$crate::Plain) -> ::std::result::Result<Self, $crate::Unreadable> {
                let word = <::std::string::String as $crate::Stored>::lift(plain)?;
                let found = Self::ALL.into_iter().find(|known| known.as_str() == word);
                found.ok_or_else(|| {
                    let words = Self::ALL.map(|known| known.as_str()).join(", ");
                    $crate::Unreadable::here(format!("expected one of {words}"))
                })
            }
        }
    };

    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };

    (@lower $self:ident.$field:ident) => { $crate::Stored::lower(&$self.$field) };
    (@lower $self:ident.$field:ident or_default) => { $crate::Stored::lower(&$self.$field) };
    (@lower $self:ident.$field:ident unless_default) => {
        $crate::Plain::unless_default(&$self.$field)
    };

    (@lift $fields:ident [$($key:tt)+]) => { $fields.get($crate::stored!(@key $($key)+))? };
    (@lift $fields:ident [$($key:tt)+] $or_default:ident) => {
        $fields.get::<Option<_>>($crate::stored!(@key $($key)+))?.unwrap_or_default()
    };

    (@lower_variant $only:ident) => { $crate::Stored::lower($only) };
    (@lower_variant { $($field:ident),+ }) => {
        $crate::Plain::map([$((stringify!($field), $crate::Stored::lower($field))),+])
    };
    (@lift_variant $value:ident, $variant:ident $only:ident) => {
        Ok(Self::$variant { $only: $crate::Stored::lift($value)? })
    };
    (@lift_variant $value:ident, $variant:ident { $($field:ident),+ }) => {{
        let fields = $crate::Fields::of($value)?;
        Ok(Self::$variant { $($field: fields.get(stringify!($field))?),+ })
    }};
}
