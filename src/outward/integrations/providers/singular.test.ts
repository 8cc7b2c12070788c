import { SINGULAR_KEYS, singular } from '../../../../test/support/integrations/singular'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import type { ProviderRequest } from '../provider'
import { SINGULAR } from './singular'
import cases from './singular.cases.json'

const check = checkWith(singular)

/** Singular answers its refusals with 200. */
const checkBody = (request: ProviderRequest) => {
  const answer = check(request)
  return answer.body === '{"status":"ok"}' ? answer : { ...answer, status: 400 }
}

testMapping(SINGULAR, cases, SINGULAR_KEYS, checkBody)
