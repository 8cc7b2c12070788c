import { adjust } from './adjust'
import { airbridge } from './airbridge'
import { amplitude } from './amplitude'
import { appsflyer } from './appsflyer'
import { braze } from './braze'
import { discord } from './discord'
import { iterable } from './iterable'
import { onesignal } from './onesignal'
import { singular } from './singular'
import { slack } from './slack'
import type { StandIn } from './stand-in'

/** The stand-ins of all providers. */
export const STAND_INS: readonly StandIn[] = [
  amplitude,
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
