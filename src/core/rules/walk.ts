import { type BuiltIn, flagKeyOf, isBuiltIn, type RuleNode, type RulePath, type RuleReads } from './model'

export type AskedQuestion = Extract<RuleNode, { kind: 'TEST' }>

/** Every question of a document, those of `$elemMatch` included, in their order. */
export function questionsIn(node: RuleNode): AskedQuestion[] {
  if (node.kind === 'NOT') return questionsIn(node.part)
  if (node.kind !== 'TEST') return node.parts.flatMap(questionsIn)
  const { question } = node
  return question.operator === '$elemMatch' ? [node, ...questionsIn(question.operand)] : [node]
}

/** What a document reads of a subscriber besides custom attributes. A moving time reads the clock. */
export function readsOf(node: RuleNode): RuleReads {
  const builtIns = new Set<BuiltIn>()
  const flags = new Set<string>()
  for (const { attribute, question } of questionsIn(node)) {
    if (isBuiltIn(attribute)) builtIns.add(attribute)
    const key = flagKeyOf(attribute)
    if (key !== null) flags.add(key)
    if (hasMovingTime(question)) builtIns.add('svc.now')
  }
  return { builtIns: [...builtIns], flags: [...flags] }
}

const hasMovingTime = (question: AskedQuestion['question']): boolean =>
  question.operator.startsWith('$d') && typeof question.operand === 'object' && 'fromNow' in Object(question.operand)

/** The audiences that `$inGroup` and `$notInGroup` name, with their places. */
export const groupsNamedIn = (node: RuleNode): { name: string; steps: RulePath }[] =>
  questionsIn(node).flatMap(({ path: steps, question }) =>
    question.operator === '$inGroup' || question.operator === '$notInGroup' ? [{ name: question.operand, steps }] : [],
  )
