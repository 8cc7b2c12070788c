import type { Texts } from '../catalogue'
import { texts as english } from '../en/charts'

export const texts: Texts['charts'] = english
