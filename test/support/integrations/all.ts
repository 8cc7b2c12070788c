import { amplitude } from './amplitude'
import type { StandIn } from './stand-in'

/** The stand-ins of all providers. */
export const STAND_INS: readonly StandIn[] = [amplitude]
