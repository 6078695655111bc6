/// The line of a group: its name, bar and counts, in the columns of the lines of items.
struct GroupLine {
    let group: GroupItem
    let canvas: Canvas

    var text: StyledText {
        let columns = canvas.usableColumns
        let row = ItemLine(item: ActiveItem(name: group.name), canvas: canvas)
        guard columns >= ItemLine.leastWideColumns else {
            return row.narrow(columns, amount: "\(group.progress.percent)%")
        }
        var line = row.beginning(columns, fraction: group.progress.shownFraction)
        let fields = group.progress.groupFields.fitting(columns - line.columns, separator: canvas.separator)
        line.append(fields.joined(separator: canvas.separator))
        return line
    }
}
