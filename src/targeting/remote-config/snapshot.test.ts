import { expect, test } from 'bun:test'
import { anonymousSubject } from '../../core/audience/subject'
import { evaluateFlags } from '../../core/flag/evaluate'
import { compileRemote } from './snapshot'

const rules = Array.from({ length: 50 }, () => ({ audienceId: 'aud_1', value: true }))
const flags = Array.from({ length: 20 }, (_, index) => ({
  ...{ id: `flg_${index}`, key: `f_${index}`, env: 'PROD' as const, type: 'BOOLEAN' as const },
  ...{ isEnabled: true, defaultValue: false, rules },
}))
const { snapshot } = compileRemote({
  fingerprint: '',
  audiences: [{ id: 'aud_1', rules: { country: 'TR', plan: 'gold' } }],
  flags,
  experiments: [],
})

/** A subject that counts how often it is read. */
function counted(attributes: Record<string, string>) {
  let reads = 0
  const subject = anonymousSubject(attributes)
  const custom = (name: string) => {
    reads++
    return subject.custom(name)
  }
  return { subject: { ...subject, custom }, reads: () => reads }
}

test('an audience is worked out once for a call, however many rules name it, and anew for the next', () => {
  const people = [
    { attributes: { country: 'TR', plan: 'silver' }, isIn: false },
    { attributes: { country: 'TR', plan: 'gold' }, isIn: true },
    { attributes: { country: 'TR', plan: 'silver' }, isIn: false },
  ]
  for (const { attributes, isIn } of people) {
    const { subject, reads } = counted(attributes)
    const results = evaluateFlags(snapshot.environments.PROD.flags, subject, 'svc_a')
    expect(new Set([...results.values()].map(({ value }) => value))).toEqual(new Set([isIn]))
    expect(reads()).toBe(2)
  }
})
