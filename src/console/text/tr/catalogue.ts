import type { Texts } from '../catalogue'
import { texts as english } from '../en/catalogue'

export const texts: Texts['catalogue'] = english
