import type { Texts } from '../catalogue'
import { texts as english } from '../en/overview'

export const texts: Texts['overview'] = english
