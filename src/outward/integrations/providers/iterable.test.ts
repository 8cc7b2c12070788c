import { ITERABLE_KEYS, iterable } from '../../../../test/support/integrations/iterable'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { ITERABLE } from './iterable'
import cases from './iterable.cases.json'

testMapping(ITERABLE, cases, ITERABLE_KEYS, checkWith(iterable))
