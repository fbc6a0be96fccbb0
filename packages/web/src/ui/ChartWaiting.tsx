import { height } from './line-chart'
import { Bar } from './states'

/** With its legend over it and its figures under it: as high as the chart that comes, which then moves nothing. */
const chartRoom = height + 44

export const ChartWaiting = () => <Bar $height={chartRoom} />
