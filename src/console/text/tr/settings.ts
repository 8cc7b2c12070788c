import type { Texts } from '../catalogue'
import { texts as english } from '../en/settings'

export const texts: Texts['settings'] = english
