import { MIXPANEL_TOKEN, mixpanel } from '../../../../test/support/integrations/mixpanel'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { MIXPANEL } from './mixpanel'
import cases from './mixpanel.cases.json'

testMapping(MIXPANEL, cases, { projectToken: MIXPANEL_TOKEN, region: 'US' }, checkWith(mixpanel))
