//! Commands of lexer rules.

use super::Lowering;
use crate::{
    atn::{EOF, LexerCommand},
    g4::ast::{Command, Name},
};

impl Lowering<'_> {
    pub(super) fn commands(&mut self, commands: &[Command]) -> Vec<LexerCommand> {
        self.check_combination(commands);
        commands.iter().filter_map(|command| self.command(command)).collect()
    }

    fn command(&mut self, command: &Command) -> Option<LexerCommand> {
        let name = &command.name.text[..];
        match (name, &command.argument) {
            ("skip", None) => Some(LexerCommand::Skip),
            ("more", None) => Some(LexerCommand::More),
            ("popMode", None) => Some(LexerCommand::PopMode),
            ("type", Some(argument)) => self.type_argument(argument).map(LexerCommand::Type),
            ("channel", Some(argument)) => self.channel(argument).map(LexerCommand::Channel),
            ("mode", Some(argument)) => self.mode(argument).map(LexerCommand::Mode),
            ("pushMode", Some(argument)) => self.mode(argument).map(LexerCommand::PushMode),
            ("skip" | "more" | "popMode", Some(argument)) => {
                self.report.error(self.sources, argument.span, format!("the command {name} takes no argument"));
                None
            }
            ("type" | "channel" | "mode" | "pushMode", None) => {
                let message = format!("the command {name} needs an argument");
                self.report.error(self.sources, command.name.span, message).hint(format!("write {name}(NAME)"));
                None
            }
            _ => {
                let problem = self.report.error(self.sources, command.name.span, format!("there is no command {name}"));
                problem.hint("the commands are skip, more, type, channel, mode, pushMode and popMode");
                None
            }
        }
    }

    /// Conflicting commands are only worth a warning, as in ANTLR.
    fn check_combination(&mut self, commands: &[Command]) {
        for (index, command) in commands.iter().enumerate() {
            let name = &command.name.text[..];
            for earlier in commands[..index].iter().map(|earlier| &earlier.name.text[..]) {
                let message = match (earlier, name) {
                    ("pushMode" | "popMode", _) | (_, "pushMode" | "popMode") => continue,
                    _ if earlier == name => format!("the command {name} is given twice"),
                    ("skip", "more" | "type" | "channel")
                    | ("more", "skip" | "type" | "channel")
                    | ("type" | "channel", "skip" | "more") => {
                        format!("the commands {earlier} and {name} exclude each other")
                    }
                    _ => continue,
                };
                self.report.warning(self.sources, command.name.span, message);
            }
        }
    }

    fn type_argument(&mut self, argument: &Name) -> Option<i32> {
        let name = &argument.text[..];
        if name == "EOF" {
            return Some(EOF);
        }
        if let Some(known) = self.types.of_name(name).or_else(|| name.parse().ok()) {
            return Some(known);
        }
        let problem = self.report.error(self.sources, argument.span, format!("token {name} is not defined"));
        problem.hint("name it in `tokens { … }`, or write a lexer rule");
        None
    }

    fn channel(&mut self, argument: &Name) -> Option<u32> {
        let name = &argument.text[..];
        let known = self.unit.channels.iter().position(|channel| channel == name);
        let known = known.and_then(|index| u32::try_from(index).ok());
        if let Some(channel) = known.or_else(|| name.parse().ok()) {
            return Some(channel);
        }
        let problem = self.report.error(self.sources, argument.span, format!("channel {name} is not defined"));
        problem.hint("name it in `channels { … }`; HIDDEN and DEFAULT_TOKEN_CHANNEL always exist");
        None
    }

    fn mode(&mut self, argument: &Name) -> Option<u32> {
        let name = &argument.text[..];
        let known = self.unit.modes.iter().position(|mode| mode == name);
        let number = name.parse().ok().filter(|&number: &usize| number < self.unit.modes.len());
        if let Some(mode) = known.or(number) {
            return u32::try_from(mode).ok();
        }
        let message = format!("mode {name} is not defined");
        let modes = self.unit.modes.iter().map(String::as_str);
        let similar = super::super::similar::closest(name, modes);
        let problem = self.report.error(self.sources, argument.span, message);
        problem.hint(match similar {
            Some(similar) => format!("did you mean {similar}?"),
            None => format!("a mode begins with `mode {name};`"),
        });
        None
    }
}
