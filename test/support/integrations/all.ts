import { adjust } from './adjust'
import { airbridge } from './airbridge'
import { amplitude } from './amplitude'
import { appsflyer } from './appsflyer'
import { braze } from './braze'
import { discord } from './discord'
import { firebase } from './firebase'
import { iterable } from './iterable'
import { metaCapi } from './meta-capi'
import { mixpanel } from './mixpanel'
import { onesignal } from './onesignal'
import { singular } from './singular'
import { slack } from './slack'
import type { StandIn } from './stand-in'
import { tiktokEvents } from './tiktok-events'

/** The stand-ins of all providers. */
export const STAND_INS: readonly StandIn[] = [
  metaCapi,
  tiktokEvents,
  amplitude,
  mixpanel,
  firebase,
  appsflyer,
  adjust,
  airbridge,
  singular,
  braze,
  onesignal,
  iterable,
  slack,
  discord,
]
