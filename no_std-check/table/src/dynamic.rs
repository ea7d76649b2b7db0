//! Dynamic trees for the table.

use core::hint::black_box;

use treedef::head::head_into;
use treedef::{Error, Head, Node, head};

use crate::motor::Motor;

/// The encoded heads of the motor's types: the treedef of the tree is that of the type.
pub struct Heads<'a> {
    pid: Head<'a>,
    limits: Head<'a>,
    motor: Head<'a>,
}

impl<'a> Heads<'a> {
    /// Encodes the heads.
    pub fn new(bytes: &'a mut [[u8; 64]; 3]) -> Result<Self, Error> {
        let [pid, limits, motor] = bytes;
        let head =
            |name, fields, bytes| head_into(&head::Struct { name, fields, meta: &[] }, bytes);
        Ok(Self {
            pid: head("motor::Pid", &["kp", "ki", "kd"], pid)?,
            limits: head("motor::Limits", &["current", "speed"], limits)?,
            motor: head(
                "motor::Motor",
                &["speed", "current", "limits", "pole_pairs", "dt", "phase"],
                motor,
            )?,
        })
    }

    /// Lends the motor as a dynamic tree.
    pub fn with<R>(
        &self,
        motor: &Motor,
        run: impl FnOnce(&Node<'_, f32>) -> R,
    ) -> Result<R, Error> {
        let Motor { speed, current, limits, pole_pairs, dt, phase } = motor;
        let speed = [speed.kp, speed.ki, speed.kd].map(Node::Leaf);
        let current = [current.kp, current.ki, current.kd].map(Node::Leaf);
        let limits = [limits.current, limits.speed].map(Node::Leaf);
        let phase = [phase.0, phase.1].map(Node::Leaf);
        let children = [
            Node::keyed(self.pid, &speed)?,
            Node::keyed(self.pid, &current)?,
            Node::keyed(self.limits, &limits)?,
            Node::Leaf(*pole_pairs),
            Node::Leaf(*dt),
            Node::Tuple(&phase),
        ];
        Ok(run(black_box(&Node::keyed(self.motor, &children)?)))
    }
}

/// The bare visitor: it writes the leaves of a dynamic tree and nothing else.
#[inline(never)]
pub fn visit(node: &Node<'_, f32>, leaves: &mut [f32], at: &mut usize) -> bool {
    let mut child = |child: &Node<'_, f32>| match child {
        Node::Leaf(leaf) => {
            let Some(slot) = leaves.get_mut(*at) else { return false };
            *slot = *leaf;
            *at = at.wrapping_add(1);
            true
        }
        Node::None => true,
        branch => visit(branch, leaves, at),
    };
    match node {
        Node::Leaf(_) => child(node),
        Node::None => true,
        Node::Some(only) => child(only),
        Node::Tuple(children) | Node::List(children) => children.iter().all(child),
        Node::Keyed(keyed) => keyed.children().all(child),
    }
}

/// Lends `run` a tree in which `levels` nodes stand in one another, with a leaf on both sides of the next.
pub fn nested<R>(
    levels: usize,
    head: Head<'_>,
    inside: Node<'_, f32>,
    run: &mut dyn FnMut(&Node<'_, f32>) -> R,
) -> Result<R, Error> {
    let children = [Node::Leaf(1.0), inside, Node::Leaf(2.0)];
    let node = Node::keyed(head, &children)?;
    match levels {
        0 | 1 => Ok(run(&node)),
        more => nested(more.wrapping_sub(1), head, node, run),
    }
}
