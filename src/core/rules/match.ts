import { formatRulePath } from './faults'
import type { CompiledAudience, CompiledNode, MatchReason, MatchResult, Subject } from './model'

/**
 * Whether a subject belongs to an audience, and which part of the rules decided it, for previews and explanations.
 * `compiled.matches(subject)` gives the same answer without the reason, and faster.
 */
export function matchAudience({ fault, root }: CompiledAudience, subject: Subject): MatchResult {
  if (fault) return { matches: false, reason: { code: 'BROKEN', fault } }
  if (root.kind === 'ALL' && root.parts.length === 0) return { matches: true, reason: { code: 'EVERYONE' } }
  return decide(root, subject)
}

function decide(node: CompiledNode, subject: Subject): MatchResult {
  switch (node.kind) {
    case 'TEST':
      return { matches: node.test(subject), reason: attributeReason(node, subject) }
    case 'NOT':
      return opposite(decide(node.part, subject))
    case 'NONE':
      return opposite(firstThat(true, node, subject))
    default:
      return firstThat(node.kind === 'ANY', node, subject)
  }
}

const opposite = ({ matches, reason }: MatchResult): MatchResult => ({ matches: !matches, reason })

/**
 * The first part with that answer decides; when none has it, all parts have the other answer, and a single part is
 * itself the reason.
 */
function firstThat(
  wanted: boolean,
  { parts, path }: { parts: readonly CompiledNode[]; path: CompiledNode['path'] },
  subject: Subject,
): MatchResult {
  let last: MatchResult | null = null
  for (const part of parts) {
    last = decide(part, subject)
    if (last.matches === wanted) return last
  }
  if (last && parts.length === 1) return last
  return { matches: !wanted, reason: { code: wanted ? 'NONE_HELD' : 'ALL_HELD', path: formatRulePath(path) } }
}

function attributeReason(
  { attribute, path, read }: Extract<CompiledNode, { kind: 'TEST' }>,
  subject: Subject,
): MatchReason {
  return { code: 'ATTRIBUTE', path: formatRulePath(path), attribute, value: read(subject) ?? null }
}
