import { META_PIXEL, META_TOKEN, metaCapi } from '../../../../test/support/integrations/meta-capi'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { META_CAPI } from './meta-capi'
import cases from './meta-capi.cases.json'

testMapping(META_CAPI, cases, { pixelId: META_PIXEL, accessToken: META_TOKEN }, checkWith(metaCapi))
