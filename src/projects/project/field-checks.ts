export const MAX_TIMEZONE = 64
export const MAX_WEB_URL = 2048
