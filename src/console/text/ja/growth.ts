import type { Texts } from '../catalogue'
import { texts as english } from '../en/growth'

export const texts: Texts['growth'] = english
