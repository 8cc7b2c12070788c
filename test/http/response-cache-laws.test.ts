import { stage } from '../support/cast'
import { testResponseCache } from '../support/response-cache-laws'

testResponseCache(() => stage())
