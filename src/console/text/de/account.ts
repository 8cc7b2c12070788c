import type { Texts } from '../catalogue'
import { texts as english } from '../en/account'

export const texts: Texts['account'] = english
