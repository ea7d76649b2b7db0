//! The parameters of the console of the table: four types of leaves, 26 leaves.

/// The types with a derive.
#[macro_export]
macro_rules! parameters {
    ($(#[$all:meta])*) => {
        /// The gains of a controller.
        $(#[$all])*
        pub struct Pid {
            pub kp: f32,
            pub ki: f32,
            pub kd: f32,
            pub limit: [f32; 2],
        }

        /// An axis with two controllers in cascade.
        $(#[$all])*
        pub struct Axis {
            pub pid: [Pid; 2],
            pub offset: i32,
            pub enabled: bool,
        }

        /// The parameters of a machine.
        $(#[$all])*
        pub struct Config {
            pub axis: [Axis; 2],
            pub period_us: u16,
            pub gain: f32,
        }

        impl Config {
            /// The parameters before the job.
            pub const START: Self = {
                const PID: Pid = Pid { kp: 1.0, ki: 0.5, kd: 0.25, limit: [-1.0, 1.0] };
                const AXIS: Axis = Axis { pid: [PID, PID], offset: -7, enabled: true };
                Self { axis: [AXIS, AXIS], period_us: 1000, gain: 1.5 }
            };
        }
    };
}

/// The number that the job sets `axis[0].pid[1].kp` to.
pub const KP: f32 = 3.5;

/// Where a list is printed: the bytes are added up.
pub struct Sum(pub u32);

impl core::fmt::Write for Sum {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0 = text.bytes().fold(self.0, |sum, byte| sum.wrapping_add(u32::from(byte)));
        Ok(())
    }
}
