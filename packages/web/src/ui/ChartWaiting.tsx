import { height } from './line-chart'
import { Bar } from './states'

/** Of a chart with what stands around it, px. */
export const chartRoom = height + 44

export const ChartWaiting = () => <Bar $height={chartRoom} />
