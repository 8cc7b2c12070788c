import { checkWith } from '../../../../test/support/integrations/stand-in'
import { TIKTOK_PIXEL, TIKTOK_TOKEN, tiktokEvents } from '../../../../test/support/integrations/tiktok-events'
import { testMapping } from '../mapping.fixtures'
import { TIKTOK_EVENTS } from './tiktok-events'
import cases from './tiktok-events.cases.json'

testMapping(TIKTOK_EVENTS, cases, { pixelCode: TIKTOK_PIXEL, accessToken: TIKTOK_TOKEN }, checkWith(tiktokEvents))
