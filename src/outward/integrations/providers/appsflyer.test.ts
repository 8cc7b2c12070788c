import { APPSFLYER_KEYS, appsflyer } from '../../../../test/support/integrations/appsflyer'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { APPSFLYER } from './appsflyer'
import cases from './appsflyer.cases.json'

testMapping(APPSFLYER, cases, APPSFLYER_KEYS, checkWith(appsflyer))
