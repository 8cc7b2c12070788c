import { ONESIGNAL_KEYS, onesignal } from '../../../../test/support/integrations/onesignal'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { ONESIGNAL } from './onesignal'
import cases from './onesignal.cases.json'

testMapping(ONESIGNAL, cases, ONESIGNAL_KEYS, checkWith(onesignal))
