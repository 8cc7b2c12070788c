import { AIRBRIDGE_KEYS, airbridge } from '../../../../test/support/integrations/airbridge'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { AIRBRIDGE } from './airbridge'
import cases from './airbridge.cases.json'

testMapping(AIRBRIDGE, cases, AIRBRIDGE_KEYS, checkWith(airbridge))
