use super::{Effect, Face};

/// The seconds between a premature stop and the reminder.
const SECONDS: i64 = 3;

/// A reminder that is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// The text of the reminder.
    pub reminder: String,
    face: Face,
    started: i64,
    /// The seconds left, as last shown.
    left: i64,
}

impl Countdown {
    /// Starts a countdown and announces it.
    pub fn start(reminder: String, face: Face, now: i64) -> (Self, Effect) {
        let countdown = Self { reminder, face, started: now, left: SECONDS };
        let effect = match face {
            Face::Widget => countdown.widget(),
            Face::Plain => Effect::SendMessage {
                kind: "countdown",
                content: format!(
                    "Auto-continuing workflow in {SECONDS}s... (type anything to interrupt)"
                ),
            },
        };
        (countdown, effect)
    }

    fn widget(&self) -> Effect {
        let line = format!("⏳ Auto-continuing in {}s... (type anything to interrupt)", self.left);
        Effect::SetWidget { line: Some(line) }
    }

    /// Returns the effects due by `now`, and whether the countdown is over.
    pub fn tick(&mut self, now: i64) -> (Vec<Effect>, bool) {
        let mut effects = Vec::new();
        let over = |left: i64| (SECONDS - left + 1) * 1000;
        while self.left > 0 && now - self.started >= over(self.left) {
            self.left -= 1;
            if self.left > 0 && self.face == Face::Widget {
                effects.push(self.widget());
            }
        }
        if self.left == 0 {
            effects.extend(self.stop());
            effects.push(Effect::SendUserMessage { text: self.reminder.clone() });
        }
        (effects, self.left == 0)
    }

    /// Returns the effect that removes the countdown from the screen.
    pub const fn stop(&self) -> Option<Effect> {
        match self.face {
            Face::Widget => Some(Effect::SetWidget { line: None }),
            Face::Plain => None,
        }
    }
}
