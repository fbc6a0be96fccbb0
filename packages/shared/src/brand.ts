export const productName = '云舟云服务器'
export const productShort = '云舟'
export const versionLabel = 'v1.0.0'
