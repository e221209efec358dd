import Testing

/// `WireJudge` on logs with and without faults.
@Suite struct WireJudgeTests {
  private func judge(_ lines: String...) -> WireJudge {
    let start = [
      "-> wp_viewporter@6.get_viewport(new wp_viewport@16, wl_surface@15)",
      "-> xdg_wm_base@5.get_xdg_surface(new xdg_surface@17, wl_surface@15)",
      "-> wp_viewporter@6.get_viewport(new wp_viewport@31, wl_surface@30)",
    ]
    return WireJudge(log: (start + lines).map { "[1.0 ms] wayland: \($0)" }.joined(separator: "\n"))
  }

  @Test func `the size of each picture is that of the configure that was acknowledged with it`() {
    let order = ["xdg_toplevel@18.configure(300, 200, 4 bytes)", "xdg_surface@17.configure(9)"]
    let answer = ["-> xdg_surface@17.ack_configure(9)", "-> wl_surface@15.attach(wl_buffer@20, 0, 0)"]
    let size = "-> wp_viewport@16.set_destination(300, 200)"
    let commit = "-> wl_surface@15.commit()"
    let good = judge(order[0], order[1], size, answer[0], answer[1], commit)
    #expect(good.faults.isEmpty && good.sizes == 1)
    let wrong = judge(order[0], order[1], "-> wp_viewport@16.set_destination(300, 201)", answer[0], answer[1], commit)
    #expect(wrong.faults == ["300 x 201 in place of 300 x 200"])
    let late = judge(order[0], order[1], size, answer[1], commit, answer[0], answer[0], commit)
    #expect(late.faults == ["two acknowledgements without a commit"])
    let cursor = judge(
      order[0], order[1], answer[0], "-> wl_surface@30.attach(wl_buffer@20, 0, 0)", "-> wl_surface@30.commit()")
    #expect(cursor.faults.isEmpty && cursor.sizes == 0, "another surface is not the window's")
    let cursorSize = judge(
      order[0], order[1], size, "-> wp_viewport@31.set_destination(24, 24)", answer[0], answer[1], commit)
    #expect(cursorSize.faults.isEmpty && cursorSize.sizes == 1, "nor is another viewport")
  }
}
