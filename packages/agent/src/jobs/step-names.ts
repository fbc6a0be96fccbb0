/** As a customer reads them. */
export const defining = '定义虚拟机'
export const starting = '启动虚拟机'
export const awaitingBoot = '等待系统启动'
export const provingLogin = '验证登录'
export const removingSeed = '移除初始化配置'
export const shuttingDown = '关闭系统'
export const cuttingPower = '关闭虚拟机'
