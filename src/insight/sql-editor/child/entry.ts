import { runQueryProcess } from './main'

void runQueryProcess()
