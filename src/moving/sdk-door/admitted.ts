import type { Answer } from '../../base/http/pipeline'
import type { RequestFacts } from '../../base/http/request'
import type { SdkCall } from './calls'
import type { KeptInfo } from './kept-info'
import type { SdkCaller } from './model'

/** A call of the other protocol, before anything of it was checked. */
export interface ArrivedCall {
  call: SdkCall
  request: Request
  facts: RequestFacts
  set: Answer
}

/** A call whose key and limits were checked, with its body. */
export interface AdmittedCall {
  call: SdkCall
  caller: SdkCaller
  request: Request
  facts: RequestFacts
  body: Readonly<Record<string, unknown>>
}

export interface SdkAnswer {
  status?: number
  body: object | KeptInfo
  /** The row of the person whom the call was about. */
  subscriberId?: string
}
